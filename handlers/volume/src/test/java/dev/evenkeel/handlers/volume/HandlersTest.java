package dev.evenkeel.handlers.volume;

import static dev.evenkeel.handlers.volume.Desk.MIB;
import static dev.evenkeel.handlers.volume.Desk.RESULTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.CreatorUpdater;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.DeleterUpdater;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ObjectRef;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The stock handlers as plug-ins")
class HandlersTest {
  private final Desk desk = new Desk();

  @Test
  @DisplayName("have stable names, and an order that keeps them so wherever they are given")
  void namesAndOrder() {
    assertEquals(
        List.of("reservation", "image", "metadata", "group", "attach", "state"),
        desk.handlers.stream().map(EventHandler::name).toList());
    for (int i = 0; i < desk.handlers.size(); i++) {
      Order order = desk.handlers.get(i).order();
      for (int j = 0; j < desk.handlers.size(); j++) {
        String other = desk.handlers.get(j).name();
        boolean before = order.after().contains(other);
        boolean after = order.before().contains(other);
        assertFalse((before && j >= i) || (after && j <= i), other);
      }
    }
  }

  @Test
  @DisplayName("see no resync: a volume that has vanished is not made anew")
  void noResync() {
    for (EventHandler handler : desk.handlers) {
      assertFalse(handler.handlesEvent(DatastoreResync.of(InputState.empty())));
      assertFalse(handler.handlesEvent(new HealingResync(HealingResync.Cause.AFTER_ERROR, 1)));
      assertEquals(
          !List.of("attach", "group").contains(handler.name()),
          handler.handlesEvent(CreateVolume.of("data", 1)));
    }
  }

  @Test
  @DisplayName("let an author's handler stand between them, with the plan before its eyes")
  void authorsHandler() throws Exception {
    List<VolumePlan> seen = new ArrayList<>();
    EventHandler encryption =
        Handlers.named("encryption")
            .on(
                CreateVolume.class,
                (event, turn) -> {
                  VolumePlan plan = VolumePlan.find(turn, event).orElseThrow();
                  seen.add(plan);
                  var unused =
                      turn.txn()
                          .step(
                              Steps.step("encrypt " + plan.object().image(), Done.class)
                                  .apply(context -> new Done(true))
                                  .undo((context, done) -> {}));
                  return "";
                })
            .order(Order.after("image").before("state"))
            .build();
    List<EventHandler> with = new ArrayList<>(desk.handlers);
    with.add(3, encryption);
    desk.handlers = with;
    PlanTurn turn = desk.plan(CreateVolume.of("data", MIB));
    VolumePlan.Make make = (VolumePlan.Make) seen.get(0);
    String image = make.object().image();
    assertEquals(turn.txn().stepNames().get(0), make.image().orElseThrow().name());
    assertEquals(
        List.of("create " + image + " " + MIB + " {}", "metadata " + image, "encrypt " + image),
        turn.txn().stepNames());
  }

  @Test
  @DisplayName("call an author's updaters in their phases")
  void authorsUpdaters() throws Exception {
    List<String> calls = new ArrayList<>();
    desk.settings(
        desk.settings.updaters(
            recording(CreatorUpdater.class, calls),
            recording(DeleterUpdater.class, calls),
            desk.settings.snapshotter()));
    PlanTurn create = desk.plan(CreateVolume.of("data", MIB));
    desk.write(create, RecordPhase.INTENT);
    assertEquals(List.of(), calls, "nothing is recorded before all is done");
    desk.write(create, RecordPhase.SUCCESS);
    desk.write(create, RecordPhase.UNCERTAIN);
    assertEquals(
        List.of("markVolumeAsCreated", "addVolumeToCluster", "markVolumeAsUnknown"), calls);
    calls.clear();
    PlanTurn delete = desk.plan(new DeleteVolume(ObjectRef.named("data"), Secrets.NONE));
    var unused = delete.txn().written(RecordPhase.SUCCESS, RESULTS);
    assertEquals(
        List.of("removeVolumeFromOmap", "markVolumeAsDeleted", "deleteVolumeFromCluster"), calls);
    calls.clear();
    var without = delete.txn().written(RecordPhase.SUCCESS, Desk.results(false));
    assertEquals(
        List.of(
            "markVolumeAsDontExistInCluster",
            "removeVolumeFromOmap",
            "markVolumeAsDeleted",
            "deleteVolumeFromCluster"),
        calls);
    calls.clear();
    desk.write(create, RecordPhase.UNDONE);
    assertEquals(List.of("removeVolumeFromOmap"), calls);
    assertTrue(desk.store.isEmpty() && without.isEmpty());
  }

  private static <U> U recording(Class<U> updater, List<String> calls) {
    return updater.cast(
        Proxy.newProxyInstance(
            updater.getClassLoader(),
            new Class<?>[] {updater},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              assertTrue(arguments[arguments.length - 1] instanceof RecordWriter);
              return null;
            }));
  }

  @Test
  @DisplayName("settings whose ids could not be read back are refused")
  void settings() {
    assertThrows(InvalidInputException.class, () -> VolumeSettings.of(""));
    assertThrows(InvalidInputException.class, () -> VolumeSettings.of("a/b"));
    String longest = "c".repeat(63);
    assertEquals(63, VolumeSettings.of(longest).cluster().length());
    assertThrows(InvalidInputException.class, () -> VolumeSettings.of("c".repeat(65)));
  }
}
