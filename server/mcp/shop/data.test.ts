import { expect, test } from "vitest";
import { charge, NEW_SHOP, orderOf, refund, refundOrder, release, reserve, stockOf, type Shop } from "./data";

const made = (changed: ReturnType<typeof reserve>): Shop => {
  if (!changed.ok) throw new Error(changed.error);

  return changed.value.data;
};
const refused = (error: string) => ({ ok: false, error });

test("reserved stock is unavailable to others until released; releasing is idempotent", () => {
  const hand = (shop: Shop) => stockOf(shop, "rug-wool", 2);
  expect(hand(NEW_SHOP)).toMatchObject({ value: { on_hand: 2, available: true, line_cents: 62_000 } });
  const chairs = (shop: Shop) => stockOf(shop, "chair-felt", 1);
  const reserved = made(reserve(NEW_SHOP, "0123456789ab", "ord_2002"));
  expect(chairs(reserved)).toMatchObject({ value: { on_hand: 119 } });
  const released = made(release(reserved, "rsv_0123456789ab"));
  expect(chairs(released)).toEqual(chairs(NEW_SHOP));
  expect(made(release(released, "rsv_0123456789ab"))).toEqual(released);
});

test("an uncovered order is not reserved in part", () => {
  expect(reserve(NEW_SHOP, "0123456789ab", "ord_2004")).toEqual(refused("out_of_stock"));
});

test("a card is charged exactly its order's amount unless the bank declines", () => {
  expect(charge(NEW_SHOP, "0123456789ab", "ord_2001", 22_149)).toEqual(refused("amount_differs"));
  expect(charge(NEW_SHOP, "0123456789ab", "ord_2002", 30_800)).toEqual(refused("card_declined"));
  const charged = made(charge(NEW_SHOP, "0123456789ab", "ord_2001", 22_150));
  expect(made(refund(charged, "chg_0123456789ab")).charges).toMatchObject([{ amount_cents: 22_150, status: "refunded" }]);
});

test("refunds never exceed an order's cost, in one or several", () => {
  const some = made(refundOrder(NEW_SHOP, "0123456789ab", "ord_2001", 20_000, "Broken."));
  expect(refundOrder(some, "0123456789ac", "ord_2001", 2_151, "Broken.")).toEqual(refused("refund_too_large"));
  expect(made(refundOrder(some, "0123456789ac", "ord_2001", 2_150, "Broken.")).refunds).toHaveLength(2);
  expect(refundOrder(NEW_SHOP, "0123456789ab", "ord_9", 1, "Broken.")).toEqual(refused("order_unknown"));
});

test("unknown ids are faults, and the bank's decision is not readable beforehand", () => {
  expect(orderOf("ord_9")).toEqual(refused("order_unknown"));
  expect(stockOf(NEW_SHOP, "constructor", 1)).toEqual(refused("product_unknown"));
  expect(release(NEW_SHOP, "rsv_0123456789ab")).toEqual(refused("reservation_unknown"));
  expect(refund(NEW_SHOP, "chg_0123456789ab")).toEqual(refused("charge_unknown"));
  expect(JSON.stringify(orderOf("ord_2002"))).not.toContain("declines");
});
