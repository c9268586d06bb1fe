/** [test/unit/codegen] Names of emitted text: legal, unique where visible, free again outside. */
import { describe, expect, it } from "vitest";
import { NameScopes, toIdentifier } from "../../../../codegen/text/names.ts";

const RULES = { reserved: new Set(["for", "float"]), reservedPrefixes: ["tw_"] };

describe("toIdentifier", () => {
  it.each([
    ["acc", "acc"],
    ["x.y-z", "x_y_z"],
    ["2nd", "v2nd"],
    ["__a__b", "a_b"],
    ["größe", "gr_e"],
    ["$", "v"],
  ])("makes %s to %s", (hint, name) => {
    expect(toIdentifier(hint)).toBe(name);
  });
});

describe("NameScopes", () => {
  it("numbers a name that is taken, reserved or of the prelude", () => {
    const names = new NameScopes(RULES);
    const given = ["x", "x", "x", "for", "tw_exp"].map((hint) => names.fresh(hint));
    expect(given).toEqual(["x", "x_1", "x_2", "for_1", "v_tw_exp"]);
  });

  it("gives a name again after its scope, but not inside it", () => {
    const names = new NameScopes(RULES);
    names.declare("i");
    names.enter();
    expect(names.declare("i")).toBe("i_1");
    expect(names.lookup("i")).toBe("i_1");
    names.leave();
    expect(names.lookup("i")).toBe("i");
    names.enter();
    expect(names.declare("i")).toBe("i_1");
  });

  it("knows no name that nobody declared", () => {
    expect(new NameScopes(RULES).lookup("x")).toBeUndefined();
  });
});
