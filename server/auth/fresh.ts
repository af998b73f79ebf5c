/** Step-up: what matters most takes a proof of who one is that is a few minutes old at most. */
import { AppError } from "@/lib/errors";
import { isFresh } from "@/lib/people/fresh-proof";
import type { SignedIn } from "./signed-in";

/** @throws AppError `step_up_required`: the browser asks for the proof, and then asks again for what it was about */
export const demandFresh = ({ provedAtMs }: SignedIn["session"], nowMs: number): void => {
  if (!isFresh(provedAtMs, nowMs)) throw new AppError("step_up_required");
};
