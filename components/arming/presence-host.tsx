"use client";

import { useEffect } from "react";
import { listenForPresence } from "./page-presence";

/** Tracks presence. Mount once. */
export const PresenceHost = () => {
  useEffect(listenForPresence, []);

  return null;
};
