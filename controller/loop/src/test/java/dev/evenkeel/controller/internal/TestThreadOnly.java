package dev.evenkeel.controller.internal;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out what runs on a real ring, for mutation tests: there a mutant that loses a wake-up
 * costs its full time limit in each test. Found only where JUnit is told to look for extensions by
 * itself ({@code junit.jupiter.extensions.autodetection.enabled}), which the usual build does not.
 */
public final class TestThreadOnly implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context.getDisplayName().startsWith("RING_OF_")
        ? ConditionEvaluationResult.disabled("only on the test's thread")
        : ConditionEvaluationResult.enabled("");
  }
}
