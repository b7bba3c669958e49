package dev.evenkeel.store.rados;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.VolumeId;
import java.time.Instant;
import java.util.Map;

/**
 * Fills in what records that ceph-csi wrote do not have. Pure.
 *
 * @param clusterId of volume ids; empty for none
 * @param poolId where the objects are
 */
record Foreign(String clusterId, long poolId) {
  /** Who wrote it, in place of an operation's id. */
  static final String WRITER = "ceph-csi";

  /** Of a name, the UUID alone: the pool before it is where the image is. */
  static void plain(Key<?> key, Map<String, String> fields) {
    String uuid = fields.get("uuid");
    if (key instanceof NameKey && uuid != null) {
      fields.put("uuid", uuid.substring(uuid.indexOf('/') + 1));
    }
  }

  void complete(Key<?> key, Map<String, String> fields) {
    plain(key, fields);
    if (key instanceof ObjectKey object) {
      String uuid = object.uuid();
      boolean made = fields.containsKey("imageId");
      put(fields, "version", Integer.toString(ObjectRecord.VERSION));
      put(fields, "uuid", uuid);
      put(fields, "id", id(uuid));
      put(
          fields,
          "state",
          (made ? ObjectRecord.State.CREATED : ObjectRecord.State.RESERVED).name());
      // Older versions wrote no image name: it was always this.
      put(fields, "image", object.kind().imagePrefix() + uuid);
      put(fields, "size", "0");
      put(fields, "transaction", WRITER);
      put(fields, "created", Instant.EPOCH.toString());
    }
  }

  private String id(String uuid) {
    return clusterId.isEmpty() ? uuid : VolumeId.of(clusterId, poolId, uuid).toString();
  }

  private static void put(Map<String, String> fields, String name, String value) {
    fields.putIfAbsent(name, value);
  }
}
