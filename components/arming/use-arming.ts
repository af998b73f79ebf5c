"use client";

import { useEffect, useState } from "react";
import { canCommit, explainNotArming, type Act } from "./arming";
import { getPresence, showSubject } from "./page-presence";

/** Decides whether an act may arm. @param subject decided id */
export const useArming = (subject: string) => {
  const [refusal, setRefusal] = useState("");

  useEffect(() => showSubject({ id: subject, path: window.location.pathname }), [subject]);

  return {
    /** Empty: the last act armed, or there was none. */
    refusal,
    /** @returns the time of arming for `canCommitNow`, or null */
    arm: (act: Act): number | null => {
      const { presence, nowMs } = getPresence();
      const why = explainNotArming(presence, act, nowMs);
      if (why !== "") setRefusal(why ?? "");

      return why === null ? nowMs : null;
    },
  };
};

/** Returns whether this act may commit now. */
export const canCommitNow = (armedAtMs: number, act: Act): boolean => {
  const { presence, nowMs } = getPresence();

  return canCommit(presence, armedAtMs, act, nowMs);
};
