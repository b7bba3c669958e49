/** Encrypted volumes: one handler more between Evenkeel's stock ones, and a program that runs it. */
module org.example.encryption {
  requires dev.evenkeel.api;
  requires dev.evenkeel.handlers.volume;

  provides dev.evenkeel.api.handler.HandlerProvider with
      org.example.encryption.EncryptionProvider;
}
