import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { beforeAll, expect, test, vi } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";
import type { NotifierOrder } from "@/server/notify/testing/notifier-child";
import { answer, openReceiver } from "@/server/notify/testing/receiver";
import { addEndpoint, deliveriesOf, movedClock, notifyDeps, openGate, openStand, sendDue } from "@/server/notify/testing/stand";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 40_000 });

const urls = await testDatabase("runner");
const root = path.resolve(import.meta.dirname, "../..");
const { home } = await testInstallation();
const bundle = path.join(home, "build", "notifier-child.mjs");

beforeAll(async () => {
  await mkdir(path.dirname(bundle), { recursive: true });
  await build({
    entryPoints: [path.join(root, "server/notify/testing/notifier-child.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": root },
    logLevel: "error",
  });
}, 60_000);

test("a notifier that is killed with -9 while it sends loses nothing: another one sends the same again, under the same id", async () => {
  const stand = await openStand(urls.admin);
  const receiver = await openReceiver();
  const { id } = await addEndpoint(urls.admin, stand.workspace, stand.vault, { url: receiver.url });
  await openGate(stand);
  const child = spawn(process.execPath, [bundle], { stdio: ["pipe", "ignore", "inherit"], cwd: root });
  const order: NotifierOrder = { url: urls.runner, vaultKey: stand.vaultKey, allowOrigins: [receiver.origin] };
  // It is killed in the middle of its request, which is never answered.
  receiver.answerWith(() => void child.kill("SIGKILL"));
  child.stdin.end(JSON.stringify(order));
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "pending", attempts: 1, code: null, fault: null });

  receiver.answerWith(answer(204));
  const clock = movedClock();
  const deps = notifyDeps(stand.vault, clock, [receiver.origin]);
  expect(await sendDue(deps)).toBe(0);
  clock.moveBy(30_000);
  expect(await sendDue(deps)).toBe(1);
  expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "delivered", attempts: 2 });
  const [first, second] = receiver.received;
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.body).toBe(first?.body);
  await receiver.close();
});
