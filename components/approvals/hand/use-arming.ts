"use client";

import { useEffect, useState } from "react";
import { mayCommit, whyNotArm, type Act } from "./arming";
import { presenceNow, showSubject } from "./page-presence";

/** Whether what somebody does here may decide now. @param subject what would be decided about */
export const useArming = (subject: string) => {
  const [refusal, setRefusal] = useState("");

  // Told to what listens to the whole document, which lives outside of React.
  useEffect(() => showSubject({ id: subject, path: window.location.pathname }), [subject]);

  return {
    /** Why the last act armed nothing, in one sentence; empty: it did, or there was none. */
    refusal,
    /** @returns when it was armed, for `mayCommitNow`; null: it was not */
    arm: (act: Act): number | null => {
      const { presence, nowMs } = presenceNow();
      const why = whyNotArm(presence, act, nowMs);
      if (why !== "") setRefusal(why ?? "");

      return why === null ? nowMs : null;
    },
  };
};

/** Whether this act commits what was armed then. */
export const mayCommitNow = (armedAtMs: number, act: Act): boolean => {
  const { presence, nowMs } = presenceNow();

  return mayCommit(presence, armedAtMs, act, nowMs);
};
