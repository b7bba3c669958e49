package dev.evenkeel.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives test methods a {@link LoopTestKit}, and closes it behind them:
 * {@code @ExtendWith(LoopExtension.class)}. Used by JUnit.
 */
public final class LoopExtension implements ParameterResolver {
  private static final ExtensionContext.Namespace SPACE =
      ExtensionContext.Namespace.create(LoopExtension.class);

  /** For JUnit. */
  public LoopExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LoopTestKit.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(SPACE)
        .getOrComputeIfAbsent(LoopTestKit.class, type -> LoopTestKit.create(), LoopTestKit.class);
  }
}
