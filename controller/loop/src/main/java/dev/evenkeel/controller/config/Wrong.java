package dev.evenkeel.controller.config;

/** A value that is not what its option wants; says what that is. */
final class Wrong extends Exception {
  private static final long serialVersionUID = 1L;
  private final String wanted;

  Wrong(String wanted) {
    super(wanted, null, false, false);
    this.wanted = wanted;
  }

  String wanted() {
    return wanted;
  }
}
