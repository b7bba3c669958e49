package org.example.encryption;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.HandlerProvider;
import java.nio.file.Path;
import java.util.List;

/** Found by the loop through {@link java.util.ServiceLoader}. */
public final class EncryptionProvider implements HandlerProvider {
  /** The setting that says where the headers of encrypted images are kept. */
  public static final String HEADERS = "encryption.headers";

  /** For the service loader. */
  public EncryptionProvider() {}

  @Override
  public int apiVersion() {
    return API_VERSION;
  }

  @Override
  public List<EventHandler> handlers(Fields settings) {
    return List.of(new EncryptionHandler(new Headers(Path.of(settings.require(HEADERS)))));
  }
}
