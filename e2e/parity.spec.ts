import { expect, type Page } from "@playwright/test";
import * as fc from "fast-check";
import type { AnalystAnswer, AnalystRequest } from "@/lib/graph/analyst";
import { NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import { withChange } from "@/lib/graph/findings-change";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import type { Problem } from "@/lib/graph/problems/problem";
import { invalidDocument } from "@/lib/graph/testing/invalid";
import { createEmptyGraph } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

const DOCUMENTS = 200;
const SEED = 20;

type Made = { readonly workers: Worker[]; again: () => Worker };

declare global {
  var analysts: Made;
}

const watchWorkers = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const Original = Worker;
    const made: { workers: Worker[]; again: () => Worker } = { workers: [], again: () => new Original("") };
    globalThis.analysts = made;
    globalThis.Worker = class extends Original {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (options?.name !== "analyst") return;
        made.again = () => new Original(url, options);
        made.workers.push(this);
      }
    };
  });
};

const askWorker = (page: Page, requests: readonly AnalystRequest[]): Promise<readonly AnalystAnswer[]> =>
  page.evaluate(async (text) => {
    const asked = JSON.parse(text) as readonly AnalystRequest[];
    const worker = globalThis.analysts.again();
    const answers: AnalystAnswer[] = [];
    for (const request of asked) {
      const answer = new Promise<AnalystAnswer>((resolve, reject) => {
        worker.addEventListener("message", ({ data }: MessageEvent<AnalystAnswer>) => resolve(data), { once: true });
        worker.addEventListener("error", () => reject(new Error("the worker failed")), { once: true });
      });
      worker.postMessage(request);
      const { type, ...rest } = await answer;
      // Maps cannot leave the page.
      answers.push({ type, ...("change" in rest ? { ...rest, change: { ...rest.change, zones: null } } : {}) } as AnalystAnswer);
    }
    worker.terminate();

    return answers;
  }, JSON.stringify(requests));

const places = (problems: readonly Problem[]) =>
  problems.map(({ code, severity, node, edge, key }) => ({ code, severity, node, edge, key }));

test("the canvas reports the same problems as the server, and says when they are outdated", async ({ page }) => {
  await watchWorkers(page);
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Parity");
  await page.waitForFunction(() => globalThis.analysts.workers.length > 0);

  await test.step("200 invalid documents: worker and server report the same problems at the same places", async () => {
    const response = await page.request.get("/api/trpc/graphs.catalog");
    const { result } = (await response.json()) as { result: { data: ValidationContext } };
    const context = result.data;
    const documents = fc.sample(invalidDocument(context), { numRuns: DOCUMENTS, seed: SEED });
    const answers = await askWorker(
      page,
      documents.map((document, index) => ({ document, context: index === 0 ? context : null })),
    );
    let found: Findings = NO_FINDINGS;
    const codes = new Set<string>();
    for (const [index, document] of documents.entries()) {
      const answer = answers[index];
      if (answer?.type !== "findings") throw new Error("the worker failed");
      found = withChange(found, answer.change);
      const { problems, bundle } = await mutate<{ problems: Problem[]; bundle: string }>(page, "graphs.check", { document });
      expect(places(found.problems), JSON.stringify(document)).toEqual(places(problems));
      expect(answer.bundle).toBe(bundle);
      for (const { code } of problems) codes.add(code);
    }
    expect(answers).toHaveLength(DOCUMENTS);
    // Tamer documents would prove nothing.
    expect(codes.size).toBeGreaterThan(20);
  });

  await test.step("a crashed worker is reported, restarted once, and then replaced by the page", async () => {
    const fail = () => page.evaluate(() => globalThis.analysts.workers.at(-1)?.dispatchEvent(new Event("error")));
    await fail();
    await expect(page.getByText("Validation stopped and was restarted.").first()).toBeVisible();
    await fail();
    await expect(page.getByText("Validation stopped again. It now runs in this page, which may be slow.").first()).toBeVisible();
    await page.getByRole("button", { name: "Add Router" }).click();
    await page.getByRole("tab", { name: /^Problems/ }).click();
    await expect(
      page
        .getByRole("tabpanel")
        .getByText(/router/i)
        .first(),
    ).toBeVisible();
  });

  await test.step("a page with outdated rules says so, publishes nothing, and recovers on reload", async () => {
    const address = page.url();
    await page.route(address, async (route) => {
      const answer = await route.fetch();
      // Embedded as escaped text.
      const body = (await answer.text()).replace(/(bundle\\?":\\?")[0-9a-f]{64}/g, `$1${"0".repeat(64)}`);
      await route.fulfill({ response: answer, body });
    });
    await page.reload();
    await expect(page.getByText("The server was updated").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Publish/ })).toHaveAttribute("aria-disabled", "true");
    await page.unroute(address);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("button", { name: /^Publish/ })).not.toHaveAttribute("aria-disabled", "true");
    await expect(page.getByText("The server was updated")).toHaveCount(0);
  });
});
