"use client";

import { useEffect } from "react";
import { listenForPresence } from "./page-presence";

/** Tracks the presence of a person at this document. Mounted once. */
export const PresenceHost = () => {
  useEffect(listenForPresence, []);

  return null;
};
