package dev.evenkeel.csi;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.csi.v1.CapacityRange;
import dev.evenkeel.csi.v1.VolumeCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Looks at the fields of a request before anything else is done; all faults at once. */
final class Asked {
  private static final String KUBERNETES = "csi.storage.k8s.io/";
  private static final int MOST_FLAGS = 4096;
  private static final int LONGEST_ID = 256;

  private final String call;
  private final List<InvalidInputException.Fault> faults = new ArrayList<>();

  Asked(String call) {
    this.call = call;
  }

  private void fault(String field, String reason) {
    faults.add(new InvalidInputException.Fault(field, "", reason));
  }

  /** Throws if anything was wrong. */
  void check() {
    if (!faults.isEmpty()) {
      throw new InvalidInputException(call, faults);
    }
  }

  Asked name(String field, String value) {
    String wrong = VolumeNames.fault(value);
    if (!wrong.isEmpty()) {
      fault(field, wrong);
    }
    return this;
  }

  /** An id of ours or not: what is not is absent, but what can be no id at all is wrong. */
  Asked id(String field, String value) {
    if (value.isEmpty()) {
      fault(field, "must not be empty");
    } else if (value.length() > LONGEST_ID || value.chars().anyMatch(Character::isISOControl)) {
      fault(field, "must have at most " + LONGEST_ID + " characters, none a control character");
    }
    return this;
  }

  Asked path(String field, String value) {
    try {
      VolumeNames.checkPath(field, value);
    } catch (InvalidInputException wrong) {
      wrong.faults().forEach(f -> fault(field, f.reason()));
    }
    return this;
  }

  Asked capabilities(List<VolumeCapability> all) {
    if (all.isEmpty()) {
      fault("volume_capabilities", "must not be empty");
    }
    all.forEach(one -> capability("volume_capabilities", one));
    return this;
  }

  Asked capability(boolean given, VolumeCapability one) {
    if (!given) {
      fault("volume_capability", "must be given");
    } else {
      capability("volume_capability", one);
    }
    return this;
  }

  private void capability(String field, VolumeCapability one) {
    if (one.getAccessTypeCase() == VolumeCapability.AccessTypeCase.ACCESSTYPE_NOT_SET) {
      fault(field + ".access_type", "must be block or mount");
    }
    if (access(one).isEmpty()) {
      fault(field + ".access_mode", "must be given, and one that is known");
    }
    int flags = one.getMount().getMountFlagsList().stream().mapToInt(String::length).sum();
    if (flags > MOST_FLAGS || one.getMount().getFsType().length() > VolumeNames.LONGEST) {
      fault(field + ".mount", "is too long");
    }
  }

  /** A range of sizes that makes sense; required, unless it may be left out. */
  Asked size(boolean needed, CapacityRange range) {
    if (range.getRequiredBytes() < 0 || range.getLimitBytes() < 0) {
      fault("capacity_range", "must not be negative");
    } else if (range.getLimitBytes() > 0 && range.getRequiredBytes() > range.getLimitBytes()) {
      fault("capacity_range", "must not require more than the limit");
    } else if (needed && range.getRequiredBytes() == 0 && range.getLimitBytes() == 0) {
      fault("capacity_range", "must be given");
    }
    return this;
  }

  Asked page(int most) {
    if (most < 0) {
      fault("max_entries", "must not be negative");
    }
    return this;
  }

  Asked that(boolean holds, String field, String otherwise) {
    if (!holds) {
      fault(field, otherwise);
    }
    return this;
  }

  static SizeRange size(CapacityRange range) {
    return new SizeRange(range.getRequiredBytes(), range.getLimitBytes());
  }

  static ObjectRef ref(String id) {
    return ObjectRef.id(id);
  }

  /** Parameters without what an orchestrator adds for itself. */
  static SortedMap<String, String> parameters(Map<String, String> given) {
    SortedMap<String, String> ours = new TreeMap<>(given);
    ours.keySet().removeIf(name -> name.startsWith(KUBERNETES));
    return ours;
  }

  static Secrets secrets(Map<String, String> given) {
    Map<String, Secret> named = new TreeMap<>();
    given.forEach((name, value) -> named.put(name, Secret.of(value)));
    return Secrets.of(named);
  }

  /** How it is to be mounted. */
  static MountSpec mount(VolumeCapability capability, boolean readOnly) {
    return new MountSpec(
        capability.hasBlock(),
        capability.getMount().getFsType(),
        List.copyOf(capability.getMount().getMountFlagsList()),
        access(capability).orElse(MountSpec.AccessMode.SINGLE_NODE_WRITER),
        readOnly);
  }

  static Optional<MountSpec.AccessMode> access(VolumeCapability capability) {
    return switch (capability.getAccessMode().getMode()) {
      case SINGLE_NODE_WRITER -> Optional.of(MountSpec.AccessMode.SINGLE_NODE_WRITER);
      case SINGLE_NODE_READER_ONLY -> Optional.of(MountSpec.AccessMode.SINGLE_NODE_READER);
      case MULTI_NODE_READER_ONLY -> Optional.of(MountSpec.AccessMode.MULTI_NODE_READER);
      case MULTI_NODE_SINGLE_WRITER -> Optional.of(MountSpec.AccessMode.MULTI_NODE_SINGLE_WRITER);
      case MULTI_NODE_MULTI_WRITER -> Optional.of(MountSpec.AccessMode.MULTI_NODE_MULTI_WRITER);
      case SINGLE_NODE_SINGLE_WRITER -> Optional.of(MountSpec.AccessMode.SINGLE_NODE_SINGLE_WRITER);
      case SINGLE_NODE_MULTI_WRITER -> Optional.of(MountSpec.AccessMode.SINGLE_NODE_MULTI_WRITER);
      case UNKNOWN, UNRECOGNIZED -> Optional.empty();
    };
  }
}
