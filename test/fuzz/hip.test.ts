/** [test/fuzz] Random programs as HIP text of gfx90a, in waves of 64, on the emulation. */
import { describeRandomPrograms } from "./random-on-target.ts";

await describeRandomPrograms("gfx90a");
