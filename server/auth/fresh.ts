import { AppError } from "@/lib/errors";
import { isFresh } from "@/lib/people/fresh-proof";
import type { SignedIn } from "./signed-in";

/** Demands a recent proof of identity. @throws AppError `step_up_required` */
export const demandFresh = ({ provedAtMs }: SignedIn["session"], nowMs: number): void => {
  if (!isFresh(provedAtMs, nowMs)) throw new AppError("step_up_required");
};
