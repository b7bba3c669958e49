/**
 * Encrypted volumes: one handler more between Evenkeel's stock ones, and a program that runs it.
 */
module org.example.encryption {
  // The handler.
  requires dev.evenkeel.api;
  requires dev.evenkeel.handlers.volume;
  // The program around it.
  requires dev.evenkeel.codec.jackson;
  requires dev.evenkeel.controller;
  requires dev.evenkeel.hostpath;
  requires dev.evenkeel.store.local;

  provides dev.evenkeel.api.handler.HandlerProvider with
      org.example.encryption.EncryptionProvider;
}
