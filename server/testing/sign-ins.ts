import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { SIGN_IN_WORKSPACE, signInPlace, type SignInAnswer, type SignInRequest } from "@/lib/people/sign-in";
import type { Vault } from "@/server/security/vault";
import { queryOn } from "@/server/testing/connections";

export const sendSignIns =
  (webUrl: string, ownVault: Pick<Vault, "sealCommand">) =>
  async (request: SignInRequest, id: string = randomUUID(), vault = ownVault): Promise<SignInAnswer> => {
    const body = Buffer.from(vault.sealCommand(SIGN_IN_WORKSPACE, signInPlace(id), request));
    await queryOn(webUrl, "insert into sign_in_request (id, body) values ($1, $2)", [id, body]);
    await queryOn(webUrl, "select pg_notify('countersign_sign_in', '')");
    const answers = () =>
      queryOn<{ answer: SignInAnswer }>(webUrl, "select answer from sign_in_request where id = $1 and status = 'done'", [id]);
    await expect.poll(async () => (await answers()).length, { timeout: 10_000 }).toBe(1);
    const [row] = await answers();
    if (!row) throw new Error("the answer is gone");

    return row.answer;
  };
