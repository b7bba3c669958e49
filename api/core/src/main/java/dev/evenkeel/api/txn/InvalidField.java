package dev.evenkeel.api.txn;

/**
 * A field that a descriptor's validation refused.
 *
 * @param field its name
 * @param reason what is wrong and what is wanted instead
 */
public record InvalidField(String field, String reason) {}
