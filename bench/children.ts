/** Children; each loads only its needs. */

export const CHILDREN: Readonly<Record<string, (order: string) => unknown>> = {
  approve: async (order) => (await import("@/bench/approve/measure")).measureApprove(order),
  floor: async (order) => (await import("@/bench/floor/floor")).measureFloor(order),
  countersign: async (order) => (await import("@/bench/steps/countersign")).measureCountersign(order),
  cost: async (order) => (await import("@/bench/steps/cost")).measureCost(order),
  runner: async (order) => (await import("@/bench/resume/runner")).beRunner(order),
  reads: async (order) => (await import("@/bench/reads/measure")).measureReads(order),
  open: async (order) => (await import("@/bench/cold-start/open")).measureOpen(order),
};
