/** The RADOS store beside calls through the same binding: where its parts can be seen. */
package dev.evenkeel.store.rados;
