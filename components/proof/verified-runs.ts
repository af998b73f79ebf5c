"use client";

import { useSyncExternalStore } from "react";
import { z } from "zod";

const KEY = "countersign.verified-runs";
const MAX_RUNS = 50;
const NONE: readonly string[] = [];

const listSchema = z.array(z.string().max(64)).max(MAX_RUNS);

const parse = (text: string | null): readonly string[] => {
  try {
    return listSchema.parse(JSON.parse(text ?? "[]"));
  } catch {
    return NONE;
  }
};

let held: { readonly text: string | null; readonly list: readonly string[] } = { text: null, list: NONE };

const read = (): readonly string[] => {
  const text = window.localStorage.getItem(KEY);
  if (text !== held.text) held = { text, list: parse(text) };

  return held.list;
};

const subscribe = (listener: () => void) => {
  window.addEventListener("storage", listener);

  return () => window.removeEventListener("storage", listener);
};

export const rememberVerified = (runId: string): void => {
  window.localStorage.setItem(KEY, JSON.stringify([...read().filter((id) => id !== runId), runId].slice(-MAX_RUNS)));
};

export const useVerifiedRuns = (): readonly string[] => useSyncExternalStore(subscribe, read, () => NONE);
