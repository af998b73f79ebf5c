import { expect, it, vi } from "vitest";
import { createAuthority, getSettingsKey, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { STOPPED } from "@/lib/stop/stops";
import { AuthorityUnverified } from "@/server/store/trust/authority";
import { createStopSwitches } from "./stop-switch";

const W = "00000000-0000-4000-8000-000000000001";
const running = createAuthority(W);
const stopped: WorkspaceAuthority = { ...running, settings: new Map([[getSettingsKey("stops", W), { digest: STOPPED, seq: 0 }]]) };

it("tells each watcher once when work is stopped, and none that began afterwards", async () => {
  let now = running;
  const switches = createStopSwitches({ read: () => Promise.resolve(now) });
  const told = vi.fn<() => void>();
  const watched = await switches.watch(W, told);
  expect(watched.isStopped()).toBe(false);
  now = stopped;
  switches.look(W);
  await expect.poll(() => watched.isStopped()).toBe(true);
  const late = vi.fn<() => void>();
  expect((await switches.watch(W, late)).isStopped()).toBe(true);
  switches.look(W);
  await expect.poll(() => told.mock.calls.length).toBe(1);
  expect(late).not.toHaveBeenCalled();
  now = running;
  await expect.poll(() => watched.isStopped()).toBe(false);
  switches.close();
});

it("counts an unverified ledger and an unreadable one as stopped", async () => {
  const unverified = createStopSwitches({ read: () => Promise.reject(new AuthorityUnverified(W, "signature", 1)) });
  expect(await unverified.isStopped(W)).toBe(true);
  const cut = createStopSwitches({ read: () => Promise.reject(new Error("connection lost")) });
  expect((await cut.watch(W, () => undefined)).isStopped()).toBe(true);
  await expect(cut.isStopped(W)).rejects.toThrow("connection lost");
  unverified.close();
  cut.close();
});
