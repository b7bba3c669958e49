package dev.evenkeel.api.handler;

import dev.evenkeel.api.Experimental;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a class or method of a handler may use what differs from run to run, and why that
 * decides nothing. Put there by its author; read by the determinism guard of the test kit, which
 * does not accept an empty reason.
 */
@Documented
@Experimental
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface AllowNondeterminism {
  /** Why it decides nothing. */
  String value();
}
