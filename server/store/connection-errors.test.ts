import pg from "pg";
import { describe, expect, it } from "vitest";
import { isConnectionError } from "@/server/store/connection-errors";

const says = (code: string, message = "as the code says") => Object.assign(new pg.DatabaseError(message, 1, "error"), { code });

describe("a database", () => {
  it.each<[string, unknown]>([
    ["ends its connections", says("57P01")],
    ["starts", says("57P03")],
    ["has no connection left", says("53300")],
    ["loses a connection", new Error("Connection terminated unexpectedly")],
    ["gives no connection in time", new Error("timeout exceeded when trying to connect")],
    ["does not answer in time", new Error("Query read timeout")],
    ["is unreachable for Prisma", Object.assign(new Error("Can't reach database server"), { code: "P1001" })],
  ])("is unavailable when it %s", (_what, error) => {
    expect(isConnectionError(error)).toBe(true);
  });

  it("is unavailable when its port refuses connections", async () => {
    const error: unknown = await new pg.Client({ host: "127.0.0.1", port: 1 }).connect().catch((reason: unknown) => reason);
    expect(isConnectionError(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a rule of its own broken", says("23505")],
    ["no permission", says("42501")],
    ["a full disk", says("53100")],
    ["a row locked by another session", says("55P03")],
    ["a fault of our own", new TypeError("x is not a function")],
    ["an answer of a tool that says so", { message: { text: "Connection terminated" } }],
    ["nothing", undefined],
  ])("is available when it is %s", (_what, error) => {
    expect(isConnectionError(error)).toBe(false);
  });
});
