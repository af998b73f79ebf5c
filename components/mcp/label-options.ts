import type { EffectClass } from "@/lib/graph/document";
import type { Classification } from "@/lib/graph/label";

export const EFFECTS = [
  { value: "pure", label: "Pure: computes only" },
  { value: "read", label: "Read: reads external data" },
  { value: "write", label: "Write: changes external data" },
  { value: "irreversible", label: "Irreversible: can't be undone" },
] as const satisfies readonly { value: EffectClass; label: string }[];

export const CLASSES = [
  { value: "public", label: "Public" },
  { value: "internal", label: "Internal" },
  { value: "pii", label: "Personal data" },
  { value: "secret", label: "Secret" },
] as const satisfies readonly { value: Classification; label: string }[];

export const NOT_LABELLED = "Not labelled yet (treated as irreversible)";
