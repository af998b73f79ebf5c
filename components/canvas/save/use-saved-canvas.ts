"use client";

import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Canvas } from "@/components/canvas/state/canvas-context";
import { createCanvasStore, isDraftSaved, type Selection } from "@/components/canvas/state/canvas-store";
import { createSaver, type SaverPorts } from "@/components/canvas/state/saver";
import { arrived, type SavedDraft } from "@/components/canvas/state/saving";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { notify } from "@/components/ui/toast";
import type { ErrorCode } from "@/lib/errors";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { getCrashCopiesKey } from "./crash-copy-bar";
import { startKeeping } from "./keep-copy";

const TIMEOUT_MS = 30_000;

/** A retry may succeed. */
const PASSING: readonly ErrorCode[] = ["internal", "database_unreachable", "rate_limited", "runner_silent", "server_unreachable"];

const describe: SaverPorts["describe"] = (error) => {
  const { code, message } = toApiError(error);

  return { why: message, isLasting: !PASSING.includes(code) };
};

const onOnline: SaverPorts["onOnline"] = (listener) => {
  window.addEventListener("online", listener);
  window.addEventListener("focus", listener);

  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("focus", listener);
  };
};

type Loaded = {
  readonly draft: SavedDraft & { readonly id: string; readonly hash: string };
  readonly catalog: ValidationContext;
  readonly readOnly: string | null;
  readonly owner: string;
  readonly selection: Selection;
};

/** Owner format: workspace, person. */
const personOf = (owner: string): string => owner.split(" ").at(-1) ?? owner;

const savedDraft = ({ revision, hash, document }: Loaded["draft"]): SavedDraft => ({ revision, hash, document });

/** Loads a canvas and saves its draft, with a local copy until saved. One graph per canvas. */
export const useSavedCanvas = ({ draft, catalog, readOnly, owner, selection }: Loaded): Canvas => {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [canvas] = useState(() => {
    const { id, revision: from, hash: fromHash, document } = draft;
    const store = createCanvasStore({ graphId: id, revision: from, hash: fromHash, document, catalog, readOnly, selection });
    const send: SaverPorts["send"] = async (request) => {
      const answer = await client.graphs.save.mutate({ ...request, author: personOf(owner) }, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const queryKey: QueryKey = trpc.graphs.get.queryKey({ id });
      // The next visit opens the saved draft.
      if (answer.status === "saved") {
        const { revision, hash } = answer;
        queryClient.setQueryData(queryKey, { id, revision, hash, document: request.document });
      }

      return answer;
    };

    return { store, saver: createSaver(store, { send, describe, onOnline }) };
  });

  // Starts timers, the connection and local copies.
  useEffect(() => {
    const { store, saver } = canvas;
    const stopKeeping = startKeeping(store, owner);
    const stopSaving = saver.start();
    const leave = async () => {
      const revision = await stopSaving();
      stopKeeping();
      if (revision !== null) return;
      const { graphId, history } = store.getState();
      notify({
        title: `The last changes to ${history.document.name} are not saved`,
        description: "They are kept in this browser. Open the graph again to restore them.",
        tone: "error",
      });
      await queryClient.invalidateQueries({ queryKey: getCrashCopiesKey(owner, graphId) });
    };

    return () => void leave();
  }, [canvas, owner, queryClient]);

  // Follows the query cache for saves by others.
  useEffect(() => canvas.store.getState().saving((now) => arrived(now, { ...savedDraft(draft), by: [] })), [canvas, draft]);
  useEffect(() => canvas.store.getState().set({ catalog }), [canvas, catalog]);

  // Asks only while unsaved.
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!isDraftSaved(canvas.store.getState())) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);

    return () => window.removeEventListener("beforeunload", warn);
  }, [canvas]);

  return canvas;
};
