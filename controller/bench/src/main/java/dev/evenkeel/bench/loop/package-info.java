/** The event loop beside a bare ring, an executor, and what others build controllers with. */
package dev.evenkeel.bench.loop;
