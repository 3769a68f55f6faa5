# simt_kernels(TARGET SOURCES file... [INCLUDES folder...] [DEFINITIONS macro...] [LIBRARIES target...] [FLAVOURS flavour...]
#              [UNCOUNTED])
#
# Compiles kernel files in both flavours, or in those named, into objects of the interface library TARGET: what links TARGET
# holds them.
#   plain    namespace `plain`; as fast as the host allows
#   checked  namespace `checked`, SIMT_CHECKED is defined; every memory access and basic block calls the executor
# UNCOUNTED is for kernels that are checked but not counted: only memory accesses call the executor, functions stay calls
# instead of becoming one body, and -O1 takes the place of -O2, what counts of instructions are given for. Kernels of large
# templates compile in a fourth of the time, and run in three fourths.
# SIMT_FLAVOUR is the flavour's name. A file puts the functions that others call into `inline namespace SIMT_FLAVOUR`;
# every other symbol of the checked flavour is renamed when its object is finished, so the same templates in both
# flavours stay apart.
function(simt_kernels target)
  # The hooks cost what they count, so nothing may move, merge or widen an access: no vectorisation, no merging of
  # equal code, blocks in source order (the order in which a warp's lanes meet again), no tail calls (a call's return
  # address names its line).
  set(checked_options
    -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1
    -fno-tree-sra -fno-tree-fre -fno-tree-pre -fno-thread-jumps -fno-tree-vectorize -fno-tree-tail-merge -fno-crossjumping -fno-reorder-blocks -fno-reorder-blocks-and-partition
    -fno-optimize-sibling-calls -fno-ipa-icf -fno-split-loops -fno-unswitch-loops -fno-tree-loop-distribute-patterns)
  set(simt_folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  cmake_parse_arguments(arg "UNCOUNTED" "" "SOURCES;INCLUDES;DEFINITIONS;LIBRARIES;FLAVOURS" ${ARGN})
  if(NOT arg_FLAVOURS)
    set(arg_FLAVOURS plain checked)
  endif()
  if(arg_UNCOUNTED)
    list(APPEND arg_DEFINITIONS SIMT_UNCOUNTED)
    list(APPEND checked_options -O1)
  else()
    list(APPEND checked_options -O2 -fsanitize-coverage=trace-pc)
  endif()
  # SHELL: one string, because CMake would drop a repeated --param.
  list(JOIN checked_options " " checked_options)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE simt ${arg_LIBRARIES})
  target_include_directories(${target} INTERFACE ${arg_INCLUDES})
  foreach(flavour ${arg_FLAVOURS})
    set(objects ${target}_${flavour})
    add_library(${objects} OBJECT ${arg_SOURCES})
    target_include_directories(${objects} PRIVATE ${simt_folder}/include ${arg_INCLUDES})
    target_compile_definitions(${objects} PRIVATE ${arg_DEFINITIONS})
    target_link_libraries(${objects} PRIVATE ${arg_LIBRARIES})
    # CUDA source is not ours to warn about beyond the usual: conversions and shadowing are common in it. -Wno-tsan: the
    # executor does know the fences that ThreadSanitizer does not. -g1: functions and lines, all that reports name; more took
    # objects three times the size.
    target_compile_options(${objects} PRIVATE -include simt/cuda.hpp -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-tsan -g1
                                              -ffp-contract=off -ftls-model=initial-exec -fno-extern-tls-init)
    if(flavour STREQUAL checked)
      target_compile_options(${objects} PRIVATE "SHELL:${checked_options}")
      target_compile_definitions(${objects} PRIVATE SIMT_CHECKED)
    elseif(WARPFOLD_SANITIZE)
      # No null checks: GCC 12 tests the flags of an addition of a thread-local offset, which the linker turns into a lea.
      # Nor whether pointers wrap around: a fifth of the time to compile, and AddressSanitizer finds them as they are used.
      # GCC takes what it instruments for uses of variables that are not set.
      target_compile_options(${objects} PRIVATE -fsanitize=${WARPFOLD_SANITIZE} -fno-sanitize-recover=all
                                                -fno-sanitize=null,pointer-overflow -Wno-maybe-uninitialized)
    endif()
    set_target_properties(${objects} PROPERTIES
      CXX_COMPILER_LAUNCHER "${simt_folder}/finish_object;${flavour};${CMAKE_NM};${CMAKE_READELF};${CMAKE_OBJCOPY}")
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()
