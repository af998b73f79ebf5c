import { AppError } from "@/lib/errors";
import { isFresh } from "@/lib/people/fresh-proof";
import type { SignedIn } from "./signed-in";

export const demandFresh = ({ provedAtMs }: SignedIn["session"], nowMs: number): void => {
  if (!isFresh(provedAtMs, nowMs)) throw new AppError("step_up_required");
};
