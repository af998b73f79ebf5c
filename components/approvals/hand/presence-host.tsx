"use client";

import { useEffect } from "react";
import { listenForPresence } from "./page-presence";

export const PresenceHost = () => {
  useEffect(listenForPresence, []);

  return null;
};
