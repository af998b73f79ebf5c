/** For specs that test neither publishing nor the launcher. */
import type { Page } from "@playwright/test";
import { mutate } from "./wire.ts";

type Published = { readonly id: string; readonly hash: string };

export const publish = async (
  page: Page,
  document: object & { readonly id?: string; readonly name?: string },
  name = document.name,
): Promise<Published> => {
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name });
  const { revision } = await mutate<{ revision: number }>(page, "graphs.save", { id, revision: 1, document });
  const { version } = await mutate<{ version: { hash: string } }>(page, "graphs.publish", { id, revision });

  return { id, hash: version.hash };
};

/** @returns the run's id */
export const startVersion = async (page: Page, hash: string, inputs: object = {}): Promise<string> => {
  const start = { graphHash: hash, goal: "Do your work.", model: "scripted:honest", inputs };
  const { runId: run } = await mutate<{ runId: string }>(page, "runs.start", start);

  return run;
};
