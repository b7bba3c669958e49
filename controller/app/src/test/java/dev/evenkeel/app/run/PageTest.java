package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.app.Cli;
import dev.evenkeel.app.serve.ServeSettings;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The page in a real browser; pictures of it are kept under {@code target/screenshots}. */
@SuppressWarnings("NullAway.Init") // set before all
class PageTest {
  private static final String BAD = "<img src=x onerror=document.body.dataset.hurt=1>\\u202e&amp;";

  @TempDir private static Path folder;
  private static Browser browser;
  private static String axe;

  @BeforeAll
  static void begin() throws Exception {
    Optional<Path> program = Browser.program();
    assumeTrue(program.isPresent(), "NOT TESTED: the page, since there is no Chromium here");
    browser = Browser.start(program.get(), folder);
    try (InputStream in = PageTest.class.getResourceAsStream("/axe.min.js")) {
      axe = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @AfterAll
  static void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  private static void picture(String name) throws Exception {
    browser.screenshot(Cli.ROOT.resolve("controller/app/target/screenshots/" + name + ".png"));
  }

  /** No serious finding of the accessibility checker on what is shown now. */
  private static void accessible(String what) throws Exception {
    var unused = browser.eval(axe + "; true");
    JsonNode found =
        browser.eval(
            "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations"
                + ".filter(v => ['serious', 'critical'].includes(v.impact))"
                + ".map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary)))");
    List<String> violations = new ArrayList<>();
    found.get("value").forEach(one -> violations.add(one.toString()));
    assertEquals(List.of(), violations, what);
  }

  private static void click(String selector) throws Exception {
    browser.until("document.querySelector('" + selector + "')");
    var unused =
        browser.eval(
            "document.querySelector('"
                + selector
                + "')"
                + ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))");
  }

  @Test
  @DisplayName(
      "an event appears by itself; opened it shows its timeline, and of a failed one its revert")
  void events() throws Exception {
    try (Running running = Running.in(folder.resolve("events"))) {
      browser.size(1280, 800, false);
      browser.dark(false);
      browser.open(running.address() + "/");
      browser.until("document.getElementById('state').textContent === 'running, ready'");
      browser.shows("datastore-resync");
      browser.until("document.getElementById('login').offsetParent === null");

      running.push("{\"event\":\"create-volume\",\"name\":\"data-1\",\"size\":\"1MiB\"}");
      browser.shows("volume data-1");
      running.push(
          "{\"event\":\"create-volume\",\"name\":\"doomed\",\"size\":1,\"fault\":\"last-step\"}");
      browser.shows("2 done, 2 undone");
      browser.shows("fails on purpose");
      accessible("events");
      picture("events");

      click("a[href=\"#/event/2\"]");
      browser.shows("Event 2, create-volume");
      browser.shows("fail-on-purpose");
      browser.shows("reservation, revert");
      browser.until("document.querySelectorAll('.bars .undone').length >= 2");
      browser.until("document.querySelectorAll('.bars .failed').length >= 1");
      accessible("one event");
      picture("event");
      assertEquals(List.of(), browser.complaints(running.address()));
    }
  }

  @Test
  @DisplayName("the graph shows a pending value turning configured, and what waits for what")
  void graph() throws Exception {
    try (Running running = Running.in(folder.resolve("graph"))) {
      browser.size(1280, 800, false);
      running.demo("bridge?name=br0&nics=eth0");
      browser.open(running.address() + "/#/values");
      String box = ".graph g[data-key=\"/example/port/br0/eth0\"]";
      browser.until("document.querySelector('" + box + "')?.classList.contains('pending')");
      accessible("values");
      picture("values-pending");
      click(box);
      browser.shows("it waits for the interface");
      browser.shows("What waits for what");
      accessible("one value");
      picture("value");
      browser.open(running.address() + "/#/values");
      browser.until("document.querySelector('" + box + "')?.classList.contains('pending')");

      running.demo("nic?name=eth0");

      browser.until("document.querySelector('" + box + "')?.classList.contains('configured')");
      picture("values-configured");
      assertEquals(List.of(), browser.complaints(running.address()));
    }
  }

  @Test
  @DisplayName("volumes and health; dark, with the keyboard alone, and on a phone")
  void keyboardAndPhone() throws Exception {
    try (Running running = Running.in(folder.resolve("keys"))) {
      running.push("{\"event\":\"create-volume\",\"name\":\"data-1\",\"size\":\"1MiB\"}");
      browser.size(1280, 800, false);
      browser.dark(true);
      browser.open(running.address() + "/#/events");
      browser.shows("volume data-1");
      browser.key("3");
      browser.shows("data-1");
      browser.shows("1,048,576");
      accessible("volumes, dark");
      picture("volumes-dark");
      browser.key("4");
      browser.shows("events waiting, of 1000");
      browser.until("document.querySelector('.chart path').getAttribute('d').includes('L')");
      accessible("health, dark");
      picture("health-dark");
      browser.key("t");
      browser.until("document.documentElement.dataset.theme === 'light'");
      accessible("health, light");
      browser.key("1");
      browser.shows("volume data-1");
      browser.key("j");
      browser.until("document.activeElement.matches('tbody a')");
      browser.key("Enter");
      browser.until("location.hash.startsWith('#/event/')");
      browser.key("Escape");
      browser.until("location.hash === '#/events'");

      browser.size(360, 740, true);
      browser.shows("create-volume");
      browser.until("document.documentElement.scrollWidth <= 360");
      accessible("events on a phone");
      picture("events-phone");
      assertEquals(List.of(), browser.complaints(running.address()));
      var unused = browser.eval("localStorage.clear()");
    }
  }

  @Test
  @DisplayName("what a controller says is shown as text and never as markup")
  void markup() throws Exception {
    try (Running running = Running.in(folder.resolve("markup"))) {
      browser.size(1280, 800, false);
      running.push(
          "{\"event\":\"create-snapshot\",\"name\":\"s\",\"volume\":\"<b id=hurt>x<|b>\"}");
      running.push(
          "{\"event\":\"create-volume\",\"size\":1,\"name\":\"" + BAD.replace("/", "") + "\"}");
      browser.open(running.address() + "/#/events");
      browser.shows("<b id=hurt>x<|b>");
      browser.shows("onerror=");
      browser.key("3");
      browser.shows("onerror=");
      assertFalse(
          browser
              .eval("Boolean(document.body.dataset.hurt || document.getElementById('hurt'))")
              .at("/value")
              .asBoolean());
      assertEquals(List.of(), browser.complaints(running.address()));
    }
  }

  @Test
  @DisplayName("with a token the page asks for it, and keeps it for this window only")
  void token() throws Exception {
    String token = "0123456789abcdef-page";
    try (Running running =
        Running.in(
            folder.resolve("token"),
            new ServeSettings(
                "127.0.0.1", 0, Optional.of(token), Optional.empty(), Optional.empty(), 10),
            List.of())) {
      browser.open(running.address() + "/");
      browser.until("document.getElementById('login').offsetParent !== null");
      var unused =
          browser.eval(
              "document.getElementById('token').value = '"
                  + token
                  + "'; document.querySelector('#login button').click(); true");
      browser.shows("datastore-resync");
      assertTrue(
          browser
              .eval("!JSON.stringify(localStorage).includes('" + token + "')")
              .at("/value")
              .asBoolean());
    }
  }
}
