package dev.evenkeel.api.handler;

import dev.evenkeel.api.Fields;
import java.util.List;

/**
 * How handlers are found by {@link java.util.ServiceLoader}: implemented by authors of plug-ins, in
 * a module that says {@code provides dev.evenkeel.api.handler.HandlerProvider with …}. Discovered
 * handlers are added behind the given ones, by provider class name, and then placed by their {@link
 * Order}.
 */
public interface HandlerProvider {
  /**
   * The version of this contract that it was written for: {@value #API_VERSION}. Others are refused
   * by name.
   */
  int apiVersion();

  /** The current version of this contract. */
  int API_VERSION = 1;

  /**
   * Makes its handlers; called once per loop, before it starts. Unknown settings should be refused,
   * all at once.
   */
  List<EventHandler> handlers(Fields settings);
}
