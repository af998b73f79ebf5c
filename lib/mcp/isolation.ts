import { z } from "zod";

/** Enforced by the kernel without root. */
export const LAYERS = ["files", "network", "ports", "memory", "signals", "processes", "privileges"] as const;

/** Need root or user namespaces, so no level demands them. */
export const FURTHER_LAYERS = ["namespace", "identity"] as const;

const ALL_LAYERS = [...LAYERS, ...FURTHER_LAYERS] as const;
export type Layer = (typeof ALL_LAYERS)[number];

export const isolationSchema = z.strictObject({
  /** Layers that resisted every attempt. */
  holds: z.array(z.enum(ALL_LAYERS)),
  /** Null where tested. */
  reason: z.string().max(300).nullable(),
});
export type Isolation = z.infer<typeof isolationSchema>;

/** `available`: whatever holds; `strict`: all LAYERS; `off`: none. */
export type SandboxLevel = "off" | "available" | "strict";

export const SANDBOX_OFF: Isolation = { holds: [], reason: "The operator switched the sandbox off (COUNTERSIGN_SANDBOX=off)." };

export const isSwitchedOff = ({ reason }: Isolation): boolean => reason === SANDBOX_OFF.reason;

export const listMissingLayers = ({ holds }: Isolation): readonly Layer[] => LAYERS.filter((layer) => !holds.includes(layer));

export const isIsolated = ({ holds }: Isolation): boolean => holds.length > 0;

/** Returns the layers common to all, else null. */
export const findWeakest = (all: readonly Isolation[]): Isolation | null => {
  const [first] = all;
  if (!first) return null;

  return {
    holds: first.holds.filter((layer) => all.every(({ holds }) => holds.includes(layer))),
    reason: all.find(({ reason }) => reason !== null)?.reason ?? null,
  };
};
