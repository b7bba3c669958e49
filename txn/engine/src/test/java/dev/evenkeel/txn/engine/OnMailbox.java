package dev.evenkeel.txn.engine;

import dev.evenkeel.txn.mailbox.Box;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/** Lets every engine of a test be driven by the mailbox. */
final class OnMailbox implements TestInstancePreConstructCallback, AfterEachCallback {
  @Override
  public void preConstructTestInstance(
      TestInstanceFactoryContext factory, ExtensionContext context) {
    if (Engine.BOXES.get() == null) {
      Engine.BOXES.set(new ArrayList<>());
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    List<Box> boxes = Engine.BOXES.get();
    Engine.BOXES.remove();
    if (boxes != null) {
      boxes.forEach(Box::close);
    }
  }
}
