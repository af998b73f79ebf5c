import { expect, test, vi } from "vitest";
import { createCaller } from "@/server/trpc/root";
import { testDatabase } from "@/server/testing/database";
import { signInAsDemo } from "./demo-sign-in";

vi.stubEnv("COUNTERSIGN_LOOPBACK", "");
await testDatabase("web");

test("offers no demo where the server is not bound to loopback, whatever the Host header says", async () => {
  const caller = createCaller({ requestId: "test", address: "test", host: "localhost", signedIn: async () => null });

  expect(await signInAsDemo({ role: "admin" }, "localhost", { address: "test", userAgent: "" })).toEqual({ status: "denied" });
  expect(await caller.setup.state()).toEqual({ hasAdmin: false, demo: null, identityProvider: null });
  await expect(caller.setup.createDemo()).rejects.toThrow("this machine only");
});
