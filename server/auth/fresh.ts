/** Step-up: sensitive actions need a proof of identity that is minutes old. */
import { AppError } from "@/lib/errors";
import { isFresh } from "@/lib/people/fresh-proof";
import type { SignedIn } from "./signed-in";

/** @throws AppError `step_up_required`: the browser obtains the proof and retries */
export const demandFresh = ({ provedAtMs }: SignedIn["session"], nowMs: number): void => {
  if (!isFresh(provedAtMs, nowMs)) throw new AppError("step_up_required");
};
