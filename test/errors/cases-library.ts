/** [test/errors] What cases import from another file: a constant that can be captured and one that cannot. */
export const FACTOR = 2;
export const { LOW } = { LOW: -1 };
