"use client";

import { useEffect, useState } from "react";
import { canCommit, explainNotArming, type Act } from "./arming";
import { getPresence, showSubject } from "./page-presence";

/** Decides whether an act may arm a decision. @param subject id of what is decided */
export const useArming = (subject: string) => {
  const [refusal, setRefusal] = useState("");

  // The presence state lives outside React.
  useEffect(() => showSubject({ id: subject, path: window.location.pathname }), [subject]);

  return {
    /** Why the last act armed nothing; empty: it did, or there was none. */
    refusal,
    /** @returns the time of arming, for `canCommitNow`; null: nothing was armed */
    arm: (act: Act): number | null => {
      const { presence, nowMs } = getPresence();
      const why = explainNotArming(presence, act, nowMs);
      if (why !== "") setRefusal(why ?? "");

      return why === null ? nowMs : null;
    },
  };
};

/** Whether this act may commit a choice armed at that time. */
export const canCommitNow = (armedAtMs: number, act: Act): boolean => {
  const { presence, nowMs } = getPresence();

  return canCommit(presence, armedAtMs, act, nowMs);
};
