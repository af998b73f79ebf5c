/** Step-up: what matters most takes a proof of who one is that is a few minutes old at most. */
import { AppError } from "@/lib/errors";
import type { SignedIn } from "./signed-in";

const FRESH_MS = 5 * 60_000;

/** @throws AppError `step_up_required`: the browser asks for the proof, and then asks again for what it was about */
export const demandFresh = ({ provedAtMs }: SignedIn["session"], nowMs: number): void => {
  if (provedAtMs === null || nowMs - provedAtMs > FRESH_MS) throw new AppError("step_up_required");
};
