import { describe, expect, test } from "vitest";
import { createSubscriber } from "@/server/notify/testing/push";
import { encryptPush, isPublicPoint } from "./encrypt";

const bytes = (text: string) => Buffer.from(text, "base64url");

describe("a message of web push", () => {
  test("is encrypted as the example of RFC 8291, section 5", () => {
    const sent = encryptPush(
      "When I grow up, I want to be a watermelon",
      {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
      { salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"), privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw") },
    );
    expect(sent.toString("base64url")).toBe(
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
  });

  test("opens only with the browser's own keys, and differs each time", () => {
    const [own, other] = [createSubscriber("https://push.example.com/a"), createSubscriber("https://push.example.com/b")];
    const sent = encryptPush("Grüße 🙂", own.subscription);
    expect(own.decrypt(sent)).toBe("Grüße 🙂");
    expect(() => other.decrypt(sent)).toThrow();
    expect(encryptPush("Grüße 🙂", own.subscription).equals(sent)).toBe(false);
  });

  test("is for points of the curve only", () => {
    expect(isPublicPoint(createSubscriber("https://push.example.com").subscription.p256dh)).toBe(true);
    expect(isPublicPoint(Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString("base64url"))).toBe(false);
    expect(isPublicPoint("")).toBe(false);
  });
});
