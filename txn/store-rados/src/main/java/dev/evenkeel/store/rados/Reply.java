package dev.evenkeel.store.rados;

import java.util.List;

/**
 * What an operation on an object has come to.
 *
 * @param code zero, or negative
 * @param version of the object
 * @param parts what a read found, part by part
 */
record Reply(int code, long version, List<ReadOp.Part> parts) {}
