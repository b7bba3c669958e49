package dev.evenkeel.scenarios.house;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A room of the house and what it may see: the table of the architecture, as data. Whatever is not
 * named here may not be used.
 *
 * @param root its root package
 * @param rooms that it may use
 * @param libraries packages outside the house that it may use
 */
record Room(String root, List<Room> rooms, List<String> libraries) {
  static final Room API = room("dev.evenkeel.api", List.of());
  static final Room TCK =
      room("dev.evenkeel.tck", List.of(API), "org.junit.jupiter.api..", "org.opentest4j..");
  static final Room ENGINE = room("dev.evenkeel.txn", List.of(API), "org.slf4j..");
  static final Room DATASTORE = room("dev.evenkeel.datastore", List.of(API), "org.slf4j..");
  static final Room CODEC =
      room("dev.evenkeel.codec.jackson", List.of(API), "tools.jackson..", "com.fasterxml..");
  static final Room STORE_LOCAL =
      // Stores have threads of their own, and somebody must be told what goes wrong on them.
      room("dev.evenkeel.store.local", List.of(API, CODEC), "org.rocksdb..", "org.slf4j..");
  static final Room STORE_ETCD =
      room(
          "dev.evenkeel.store.etcd",
          List.of(API),
          "io.etcd.jetcd.api..",
          "io.grpc..",
          "io.netty..",
          "com.google.protobuf..",
          "org.slf4j..");
  static final Room STORE_RADOS =
      room("dev.evenkeel.store.rados", List.of(API), "com.sun.jna..", "org.slf4j..");
  static final Room LOOP =
      room(
          "dev.evenkeel.controller",
          List.of(API, ENGINE, CODEC),
          "com.lmax.disruptor..",
          "io.micrometer..",
          "jdk.jfr..",
          "org.slf4j..");
  static final Room TESTKIT =
      room(
          "dev.evenkeel.testkit",
          List.of(API, TCK, LOOP, ENGINE, DATASTORE),
          "org.junit.jupiter.api..",
          "org.objectweb.asm..",
          "org.opentest4j..");
  static final Room VOLUME = room("dev.evenkeel.handlers.volume", List.of(API));
  static final Room HOSTPATH = room("dev.evenkeel.hostpath", List.of(API));

  static final List<Room> ALL =
      List.of(
          API,
          TCK,
          ENGINE,
          DATASTORE,
          CODEC,
          STORE_LOCAL,
          STORE_ETCD,
          STORE_RADOS,
          LOOP,
          TESTKIT,
          VOLUME,
          HOSTPATH);

  private static Room room(String root, List<Room> rooms, String... libraries) {
    return new Room(root, rooms, List.of(libraries));
  }

  /** Pattern of all packages of the room. */
  String packages() {
    return root + "..";
  }

  /** Pattern of what is nobody else's business. */
  String internals() {
    return root + "..internal..";
  }

  /** Patterns of everything that the room's classes may depend on. */
  String[] visible() {
    List<String> patterns = new ArrayList<>(List.of("java..", "javax..", "org.jspecify.."));
    Stream.concat(Stream.of(this), rooms.stream()).map(Room::packages).forEach(patterns::add);
    patterns.addAll(libraries);
    return patterns.toArray(String[]::new);
  }

  @Override
  public String toString() {
    return root;
  }
}
