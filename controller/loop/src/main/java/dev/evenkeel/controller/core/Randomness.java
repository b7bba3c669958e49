package dev.evenkeel.controller.core;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Random numbers that are a function of the recorded seed, the event and the handler (rule 6). */
final class Randomness {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Randomness() {}

  static RandomGenerator of(long seed, long event, String handler, String call) {
    return new SplittableRandom(mix(mix(mix(seed, event), hash(handler)), hash(call)));
  }

  /** A random UUID, version 4. */
  static String id(RandomGenerator random) {
    long high = (random.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L;
    long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }

  private static long mix(long a, long b) {
    long z = (a ^ (b * GOLDEN)) + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** FNV-1a, 64 bits: fixed by its definition, unlike a string's hash of some later JDK. */
  private static long hash(String text) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
    }
    return hash;
  }
}
