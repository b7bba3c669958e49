package dev.evenkeel.datastore;

import java.util.Optional;

/** One path's change at a revision. */
record Change(long revision, String path, Optional<Stored> before, Optional<Stored> after) {}
