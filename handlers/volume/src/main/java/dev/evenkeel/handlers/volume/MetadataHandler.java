package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeNames;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes onto a new image whose it is, so that people find their way back without the records. */
final class MetadataHandler extends VolumeRequests {
  private final VolumeBackend backend;

  MetadataHandler(VolumeBackend backend) {
    this.backend = backend;
  }

  @Override
  public String name() {
    return "metadata";
  }

  @Override
  public Order order() {
    return Order.after("reservation", "image").before("state");
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    if (!(VolumePlan.find(turn, event).orElse(null) instanceof VolumePlan.Make make)) {
      return "";
    }
    ObjectRecord object = make.object();
    TreeMap<String, String> metadata = new TreeMap<>();
    metadata.put("evenkeel.name", object.name());
    metadata.put("evenkeel.id", object.id());
    object.source().ifPresent(source -> metadata.put("evenkeel.source", source));
    Ref<Done> unused = turn.txn().step(backend.writeMetadata(object.image(), metadata));
    SortedMap<String, String> mutable = VolumeNames.parameters(object.parameters(), true);
    if (make.kind() == ObjectKind.VOLUME && !mutable.isEmpty()) {
      Ref<Done> unusedToo =
          turn.txn()
              .step(
                  ImageHandler.able(backend, backend.modification(), "change parameters")
                      .modify(object.image(), mutable));
    }
    return "writes its metadata";
  }
}
