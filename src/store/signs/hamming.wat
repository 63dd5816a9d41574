;; How many bits of each vector differ from the query's. Vectors and query take whole chunks of 16 bytes.
(module
  (import "env" "memory" (memory 1))
  (func (export "countDiffering")
    (param $bits i32) (param $query i32) (param $chunks i32) (param $count i32) (param $distances i32)
    (local $at i32) (local $left i32) (local $end i32) (local $sums v128)
    ;; Two bytes for each vector.
    (local.set $end (i32.add (local.get $distances) (i32.shl (local.get $count) (i32.const 1))))
    (block $done
      (loop $vector
        (br_if $done (i32.eq (local.get $distances) (local.get $end)))
        (local.set $sums (v128.const i16x8 0 0 0 0 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $left (local.get $chunks))
        (loop $chunk
          (local.set $sums
            (i16x8.add
              (local.get $sums)
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt (v128.xor (v128.load (local.get $bits)) (v128.load (local.get $at)))))))
          (local.set $bits (i32.add (local.get $bits) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $chunk (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        (local.set $sums (i32x4.extadd_pairwise_i16x8_u (local.get $sums)))
        (i32.store16
          (local.get $distances)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
            (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
        (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
        (br $vector)))))
