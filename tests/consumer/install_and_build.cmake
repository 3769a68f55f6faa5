# Installs BUILD into TRIAL/prefix, then configures, builds and runs SOURCE against it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${TRIAL})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${TRIAL}/prefix)
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${TRIAL}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_PREFIX_PATH=${TRIAL}/prefix -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${TRIAL}/build)
run(${TRIAL}/build/consumer)
