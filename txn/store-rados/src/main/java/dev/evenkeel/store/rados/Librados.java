package dev.evenkeel.store.rados;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The functions of librados that the store uses, mapped directly; names and orders of arguments are
 * the library's (where two functions of a kind differ in them, so do these). A {@code size_t} is a
 * long. Texts are bytes that end with a zero. What goes in is copied by the library before a call
 * returns; cells for results live until the operation has completed.
 */
final class Librados {
  /** How an OMAP value compares with the one given; the library knows no others of the seven. */
  static final int EQUAL = 1;

  static final int GREATER = 3;
  static final int LESS = 5;

  static final int EXCLUSIVE = 1;
  static final int IDEMPOTENT = 0;

  private static boolean loaded;

  private Librados() {}

  /** Told that an operation has completed, on a thread of the library's. */
  interface Completed extends Callback {
    void invoke(Pointer completion, Pointer argument);
  }

  /** Told of a notification, on a thread of the library's. */
  interface Notified extends Callback {
    void invoke(
        Pointer argument, long notifyId, long handle, long notifier, Pointer data, long length);
  }

  /** Told that a watch is lost, on a thread of the library's. */
  interface Lost extends Callback {
    void invoke(Pointer argument, long handle, int error);
  }

  static synchronized void load() {
    if (loaded) {
      return;
    }
    try {
      Native.register(Librados.class, NativeLibrary.getInstance("librados.so.2"));
      loaded = true;
    } catch (UnsatisfiedLinkError missing) {
      throw new EvenkeelException(
          ErrorKind.UNIMPLEMENTED,
          "librados.so.2 cannot be loaded: install it (package librados2)",
          missing);
    }
  }

  /** A text as the library wants it. */
  static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  // Connections

  static native int rados_create2(Pointer cell, byte[] cluster, byte[] name, long flags);

  static native int rados_conf_read_file(Pointer cluster, byte[] path);

  static native int rados_conf_set(Pointer cluster, byte[] option, byte[] value);

  static native int rados_connect(Pointer cluster);

  static native void rados_shutdown(Pointer cluster);

  static native long rados_get_instance_id(Pointer cluster);

  static native int rados_wait_for_latest_osdmap(Pointer cluster);

  static native int rados_ioctx_create(Pointer cluster, byte[] pool, Pointer cell);

  static native void rados_ioctx_set_namespace(Pointer io, byte[] namespace);

  static native long rados_ioctx_get_id(Pointer io);

  static native void rados_ioctx_destroy(Pointer io);

  // Writes

  static native Pointer rados_create_write_op();

  static native void rados_release_write_op(Pointer op);

  static native void rados_write_op_create(Pointer op, int exclusive, @Nullable Pointer category);

  static native void rados_write_op_remove(Pointer op);

  static native void rados_write_op_assert_exists(Pointer op);

  static native void rados_write_op_assert_version(Pointer op, long version);

  static native void rados_write_op_omap_cmp2(
      Pointer op,
      byte[] key,
      byte comparison,
      byte[] value,
      long keyLength,
      long valueLength,
      @Nullable Pointer result);

  static native void rados_write_op_omap_set2(
      Pointer op, Pointer keys, Pointer values, Pointer keyLengths, Pointer valueLengths, long n);

  static native void rados_write_op_omap_rm_keys2(
      Pointer op, Pointer keys, Pointer keyLengths, long n);

  static native void rados_write_op_omap_rm_range2(
      Pointer op, byte[] first, long firstLength, byte[] end, long endLength);

  static native int rados_aio_write_op_operate(
      Pointer op, Pointer io, Pointer completion, byte[] object, @Nullable Pointer time, int flags);

  // Reads

  static native Pointer rados_create_read_op();

  static native void rados_release_read_op(Pointer op);

  static native void rados_read_op_omap_get_vals2(
      Pointer op,
      byte[] startAfter,
      byte[] prefix,
      long most,
      Pointer iterator,
      Pointer more,
      Pointer result);

  static native void rados_read_op_omap_get_vals_by_keys2(
      Pointer op, Pointer keys, long n, Pointer keyLengths, Pointer iterator, Pointer result);

  static native int rados_aio_read_op_operate(
      Pointer op, Pointer io, Pointer completion, byte[] object, int flags);

  static native int rados_omap_get_next2(
      Pointer iterator, Pointer key, Pointer value, Pointer keyLength, Pointer valueLength);

  static native void rados_omap_get_end(Pointer iterator);

  static native int rados_nobjects_list_open(Pointer io, Pointer cell);

  static native int rados_nobjects_list_next2(
      Pointer list,
      Pointer entry,
      Pointer key,
      Pointer namespace,
      Pointer entryLength,
      Pointer keyLength,
      Pointer namespaceLength);

  static native void rados_nobjects_list_close(Pointer list);

  // Completions

  static native int rados_aio_create_completion2(
      Pointer argument, Completed completed, Pointer cell);

  static native int rados_aio_get_return_value(Pointer completion);

  static native long rados_aio_get_version(Pointer completion);

  static native int rados_aio_cancel(Pointer io, Pointer completion);

  static native void rados_aio_release(Pointer completion);

  // Watches

  static native int rados_aio_watch2(
      Pointer io,
      byte[] object,
      Pointer completion,
      Pointer cookie,
      Notified notified,
      Lost lost,
      int seconds,
      Pointer argument);

  static native int rados_aio_unwatch(Pointer io, long cookie, Pointer completion);

  static native int rados_notify_ack(
      Pointer io, byte[] object, long notifyId, long cookie, @Nullable Pointer data, int length);

  static native int rados_aio_notify(
      Pointer io,
      byte[] object,
      Pointer completion,
      byte[] data,
      int length,
      long milliseconds,
      @Nullable Pointer reply,
      @Nullable Pointer replyLength);
}
