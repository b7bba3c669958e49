/** Datastores beside the bare clients and libraries under them. */
package dev.evenkeel.bench.store;
