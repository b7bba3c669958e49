package dev.evenkeel.controller.core;

import dev.evenkeel.api.txn.Results;
import dev.evenkeel.txn.operation.OperationReport;

/**
 * What a script's completion brings: all that the core may know of it, so that a replay needs no
 * script. Immutable once the script has ended.
 *
 * @param results what its steps returned
 */
public record ScriptEnd(OperationReport report, Results results) {}
