package dev.evenkeel.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks what may still change in a minor version. Everything exported without it is stable. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PACKAGE, ElementType.FIELD})
public @interface Experimental {
  /** Why it may change, in a few words. */
  String value() default "";
}
