import { verifyDigests, type VerifyDigests } from "@/lib/engine/ledger/signature";
import type { SignatureRequest, SignatureResponse } from "./messages";

export const answerSignatures = (port: MessagePort): void => {
  const answer = async ({ id, signed }: SignatureRequest): Promise<void> => {
    const response: SignatureResponse = { id, good: await verifyDigests(signed) };
    port.postMessage(response);
  };
  port.addEventListener("message", ({ data }: MessageEvent<SignatureRequest>) => void answer(data));
  port.start();
};

/** @param port its creator reports worker failures */
export const createRemoteSignatures = (port: MessagePort): VerifyDigests => {
  const waiting = new Map<number, (good: readonly boolean[]) => void>();
  let asked = 0;
  port.addEventListener("message", ({ data: { id, good } }: MessageEvent<SignatureResponse>) => {
    waiting.get(id)?.(good);
    waiting.delete(id);
  });
  port.start();

  return (signed) =>
    new Promise((resolve) => {
      const request: SignatureRequest = { id: (asked += 1), signed };
      waiting.set(request.id, resolve);
      port.postMessage(request);
    });
};
