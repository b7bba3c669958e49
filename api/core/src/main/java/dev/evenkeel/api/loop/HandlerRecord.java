package dev.evenkeel.api.loop;

import dev.evenkeel.api.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * What one handler did with one event. Immutable.
 *
 * @param handler its name
 * @param revert whether it was asked to revert
 * @param change what it said that it changed
 * @param failure why it failed, if it did
 * @param duration how long it took
 */
public record HandlerRecord(
    String handler, boolean revert, String change, Optional<Failure> failure, Duration duration) {}
