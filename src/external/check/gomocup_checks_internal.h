// The checks of the Gomocup protocol about commands and answers, for the list of all checks.
#pragma once

#include "external/check/check_internal.h"

bool gomocup_check_start(Check *check);
bool gomocup_check_moves(Check *check);
bool gomocup_check_about(Check *check);
bool gomocup_check_one_answer(Check *check);
bool gomocup_check_board(Check *check);
bool gomocup_check_board_again(Check *check);
bool gomocup_check_full_board(Check *check);
bool gomocup_check_rectangle(Check *check);
bool gomocup_check_size_20(Check *check);
bool gomocup_check_crlf(Check *check);
bool gomocup_check_several_lines(Check *check);
bool gomocup_check_split_lines(Check *check);
bool gomocup_check_unknown(Check *check);
bool gomocup_check_wrong_input(Check *check);
bool gomocup_check_line_after_move(Check *check);
bool gomocup_check_info_first(Check *check);
bool gomocup_check_info_unknown(Check *check);
bool gomocup_check_folder(Check *check);
bool gomocup_check_restart(Check *check);
bool gomocup_check_takeback(Check *check);
bool gomocup_check_play(Check *check);
bool gomocup_check_swap2(Check *check);
